import type { CameraStats } from '../../lanes/lane-protocol.ts';

/** One camera that a node streams. */
export interface CameraNumbers {
  readonly deviceId: string;
  /** Frames a second that are to be analysed. */
  readonly wantedFps: number;
  readonly isOverloaded: boolean;
  readonly hasFault: boolean;
  /** What its lane said last; null before it has said anything. */
  readonly stats: Omit<CameraStats, 'deviceId'> | null;
  readonly runs: readonly { readonly id: string; readonly sceneId: string }[];
}

/** As who holds it knows it. */
export type StreamedCamera = Pick<CameraNumbers, 'deviceId' | 'wantedFps' | 'runs'>;
