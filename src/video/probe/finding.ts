import { type FaultKind, kindOfStatus } from '../camera-fault.ts';

/** What a quick probe finds: a video, a host that does not say what it sends, or a fault. */
export type Finding =
  | { readonly what: 'video' | 'host' }
  | { readonly what: 'fault'; readonly kind: FaultKind; readonly detail?: string };

export const fault = (kind: FaultKind, detail?: string): Finding => ({
  what: 'fault',
  kind,
  ...(detail !== undefined && { detail }),
});

/** @param status of HTTP or RTSP, not a success */
export function statusFault(status: number): Finding {
  const kind = kindOfStatus(status);
  return kind ? fault(kind) : fault('unknown', `server returned ${status}`);
}
