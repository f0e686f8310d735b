import type { Resource } from '../../api/client.ts';

/** What a probe has found at an address. */
export interface Found {
  readonly streamUrl: string;
  /** As the camera calls itself; empty if it does not. */
  readonly name: string;
  readonly probed: Resource<'ProbedAddress'>;
}
