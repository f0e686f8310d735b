import type { Resource } from '../api/client.ts';
import { duration } from '../kit/numbers.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './recordings.module.css';

/** What will make the numbers of a recording wrong, known from its file. */
export function Warnings({ recording }: { readonly recording: Resource<'Recording'> }) {
  const t = useText('recordings');
  return recording.warnings.map(({ reason }) => (
    <p key={reason} role="status" className={styles.fault}>
      {t.warnings[reason](duration(1 / (recording.sourceFps ?? 1), localeNow()))}
    </p>
  ));
}
