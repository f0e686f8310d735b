import { streamPolicy } from '../../cameras/devices/camera-network.ts';
import { checkStreamUrl, openStreamUrl, type StreamField } from '../../cameras/devices/stream-url.ts';
import type { Context } from '../../platform/context.ts';
import { UnusableRun } from '../record/load-run.ts';

/** The address of a camera stream as the database holds it. */
export interface EncryptedStream {
  readonly streamUrlEncrypted: string;
  /** Null: there is no second stream. */
  readonly analysisStreamUrlEncrypted: string | null;
  /** Networks that the streams of this user may use; empty when the user has none. */
  readonly streamNetworks: readonly string[];
}

/**
 * The address of a camera stream, checked again before the stream is opened: the allowed networks may have changed.
 * @throws UnusableRun when the address is refused
 */
export function cameraStreamUrl(
  { config, sealer }: Pick<Context, 'config' | 'sealer'>,
  { streamNetworks }: Pick<EncryptedStream, 'streamNetworks'>,
  sealed: string,
  field: StreamField = 'streamUrl',
): string {
  const url = openStreamUrl(sealer, sealed, field);
  const checked = checkStreamUrl(url, streamPolicy(config, streamNetworks));
  if ('fault' in checked) throw new UnusableRun(`The stream address ${checked.fault}.`);
  return checked.url;
}
