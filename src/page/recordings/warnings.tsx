import type { Resource } from '../api/client.ts';
import { Icon } from '../kit/icon.tsx';
import { duration } from '../kit/numbers.ts';
import { localeNow, useText } from '../text/text.ts';

/** What will make the numbers of a recording wrong, known from its file and from its analysis. */
export function Warnings({ recording }: { readonly recording: Resource<'Recording'> }) {
  const t = useText('recordings');
  const texts = {
    few_frames: () => t.warnings.few_frames(duration(1 / (recording.sourceFps ?? 1), localeNow())),
    picture_turned: (rotation: number) => t.warnings.picture_turned(rotation),
  };
  return recording.warnings.map(({ reason, rotation = 0 }) => (
    <p key={reason} role="status" className="notice" data-tone="warn">
      <Icon name="warning" />
      <span>{texts[reason](rotation)}</span>
    </p>
  ));
}
