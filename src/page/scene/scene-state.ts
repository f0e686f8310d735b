/** What a scene does, from the rows of several calls. The first of these that holds is shown. */
export type SceneState =
  /** The operator disabled the camera. */
  | 'disabled'
  | 'stopping'
  /** Waits for a place on a node, or for a node. */
  | 'waitsForCapacity'
  | 'waitsForNode'
  /** Claimed, and no frame was processed. */
  | 'starting'
  /** Runs, but the camera sends nothing that can be analysed. */
  | 'faulty'
  | 'live'
  /** The last run ended with an error. */
  | 'failed'
  /** Not analysed, and the camera cannot be reached. */
  | 'offline'
  /** Not analysed; the camera is there, or nothing is known of it. */
  | 'stopped';

export interface StateFacts {
  readonly analysisStatus: 'idle' | 'starting' | 'running' | 'stopping' | 'stopped' | 'error';
  readonly waitingFor?: 'capacity' | 'node' | undefined;
  readonly hasFault: boolean;
  readonly onlineStatus: 'unknown' | 'online' | 'offline';
  readonly isDisabled: boolean;
}

export function sceneState(facts: StateFacts): SceneState {
  const { analysisStatus, waitingFor, hasFault, onlineStatus, isDisabled } = facts;
  switch (analysisStatus) {
    case 'stopping':
      return 'stopping';
    case 'starting':
    case 'running':
      if (waitingFor) return waitingFor === 'node' ? 'waitsForNode' : 'waitsForCapacity';
      if (hasFault) return 'faulty';
      return analysisStatus === 'running' ? 'live' : 'starting';
    default:
      if (isDisabled) return 'disabled';
      if (analysisStatus === 'error') return 'failed';
      return onlineStatus === 'offline' ? 'offline' : 'stopped';
  }
}

/** Whether a run of the scene exists that can be stopped. */
export const isActive = (state: SceneState): boolean =>
  ['waitsForCapacity', 'waitsForNode', 'starting', 'faulty', 'live'].includes(state);

/** Whether pictures are to be asked for: the API refuses them without a run that a node holds. */
export const hasPictures = (state: SceneState): boolean => ['starting', 'faulty', 'live'].includes(state);

/** From this age on numbers and pictures are shown as old. */
export const STALE_MS = 15_000;
