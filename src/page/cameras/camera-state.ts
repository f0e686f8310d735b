import type { Resource } from '../../client/client.ts';

type Overview = Resource<'OverviewDevice'>;
type Scene = Overview['scenes'][number];

interface Run {
  readonly status: string;
  readonly errorMessage: string | null;
  readonly waitingFor?: 'capacity' | 'node';
}

/** A camera in one word. The texts have a sentence for each. */
export type CameraState =
  | 'disabled'
  | 'fault'
  | 'offline'
  | 'noZones'
  | 'failed'
  | 'starting'
  | 'waitsForCapacity'
  | 'waitsForNode'
  | 'warned'
  | 'counting'
  | 'stopping'
  | 'idle'
  | 'unknown';

/** What the state of a camera is made of. */
export type CameraFacts = Pick<
  Overview,
  'isDisabled' | 'fault' | 'warnings' | 'onlineStatus' | 'lastError'
> & {
  readonly scenes: readonly (Pick<Scene, 'analysisStatus'> &
    Partial<Pick<Scene, 'id' | 'name'>> & { readonly run: Run | null })[];
};

/** The colour and shape of each state. */
export const TONES = {
  fault: 'bad',
  offline: 'bad',
  failed: 'bad',
  warned: 'warn',
  waitsForCapacity: 'warn',
  waitsForNode: 'warn',
  noZones: 'info',
  starting: 'info',
  stopping: 'info',
  counting: 'good',
  disabled: 'off',
  idle: 'off',
  unknown: 'off',
} as const satisfies Record<CameraState, 'good' | 'warn' | 'bad' | 'info' | 'off'>;

/** The worst that is true of a camera: what somebody should look at first. */
export function cameraState({ isDisabled, fault, warnings, onlineStatus, scenes }: CameraFacts): CameraState {
  const any = (status: string) => scenes.some(({ analysisStatus }) => analysisStatus === status);
  if (isDisabled) return 'disabled';
  if (fault) return 'fault';
  if (onlineStatus === 'offline') return 'offline';
  if (any('error')) return 'failed';
  if (any('running')) return warnings.length > 0 ? 'warned' : 'counting';
  if (any('starting')) {
    const waitsFor = scenes.map(({ run }) => run?.waitingFor).find((each) => each !== undefined);
    if (waitsFor === 'node') return 'waitsForNode';
    return waitsFor === 'capacity' ? 'waitsForCapacity' : 'starting';
  }
  if (any('stopping')) return 'stopping';
  if (scenes.length === 0) return 'noZones';
  return onlineStatus === 'unknown' ? 'unknown' : 'idle';
}

const TROUBLE: readonly CameraState[] = [
  'fault',
  'offline',
  'failed',
  'waitsForNode',
  'waitsForCapacity',
  'warned',
];
const BUSY: readonly CameraState[] = ['counting', 'warned', 'starting', 'waitsForNode', 'waitsForCapacity'];

export const isTrouble = (state: CameraState): boolean => TROUBLE.includes(state);
export const isIdle = (state: CameraState): boolean => !BUSY.includes(state);

/** Worst first: in the order in which somebody should look at them. */
const ORDER: readonly CameraState[] = [
  ...TROUBLE,
  'noZones',
  'unknown',
  'starting',
  'stopping',
  'counting',
  'idle',
  'disabled',
];

/** Compares two states for a list that shows the worst first. */
export const worstFirst = (a: CameraState, b: CameraState): number => ORDER.indexOf(a) - ORDER.indexOf(b);

export const ACTIVE_STATUS: readonly string[] = ['starting', 'running', 'stopping'];

/** Whether the analysis of a scene is under way, so that a change of its zones restarts it. */
export const isActive = (analysisStatus: string): boolean => ACTIVE_STATUS.includes(analysisStatus);
