import { ApiFailure } from '../../api/client.ts';
import { useText } from '../../text/text.ts';
import { Icon } from '../icon.tsx';
import { FormFailure } from '../states.tsx';

/** Why a scene did not start: an offline camera in the words of its fault, with what to do. */
export function StartFailure({ error }: { readonly error: unknown }) {
  const faults = useText('faults');
  const reason =
    error instanceof ApiFailure ? (error.details[0] as { reason?: string } | undefined)?.reason : undefined;
  const known = reason === undefined ? undefined : faults[reason];
  if (!known) return <FormFailure error={error} />;
  return (
    <div className="notice" data-tone="bad" role="alert">
      <Icon name="warning" />
      <p>
        <strong>{known.title}.</strong> {known.advice}
      </p>
    </div>
  );
}
