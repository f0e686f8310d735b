import type { CameraStats } from '../../lanes/lane-protocol.ts';

/** The numbers of one camera that a node streams. */
export interface CameraNumbers {
  readonly deviceId: string;
  /** Frames per second that are to be analysed. */
  readonly requestedFps: number;
  readonly isOverloaded: boolean;
  readonly hasFault: boolean;
  /** The last statistics of its lane; null before the first. */
  readonly stats: Omit<CameraStats, 'deviceId'> | null;
  readonly runs: readonly { readonly id: string; readonly sceneId: string }[];
}

/** What `NodeRuns` knows of a camera. */
export type StreamedCamera = Pick<CameraNumbers, 'deviceId' | 'requestedFps' | 'runs'>;
