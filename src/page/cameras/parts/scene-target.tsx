import { api, type Resource } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { FormFailure } from '../../kit/states.tsx';
import { useText } from '../../text/text.ts';
import { TargetFields } from './target-fields.tsx';

/** The target of a scene; a choice is saved at once, also while the scene counts. */
export function SceneTarget({ scene }: { readonly scene: Resource<'Scene'> }) {
  const { saved } = useText('cameras');
  const save = useAction(
    (target: Resource<'Scene'>['target']) =>
      api.PATCH('/scenes/{id}', { params: { path: { id: scene.id } }, body: { target } }),
    { changes: [['scene', scene.id]] },
  );
  return (
    <div className="fields">
      <TargetFields
        value={scene.target}
        inherited={scene.target === null ? scene.effectiveTarget : null}
        onChange={(target) => save.mutate(target)}
        error={save.error}
      />
      <FormFailure error={save.error} />
      <p role="status">{save.isSuccess && saved}</p>
    </div>
  );
}
