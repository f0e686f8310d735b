import type { Resource } from '../api/client.ts';
import type { Tone } from '../kit/tile.tsx';

type Recording = Resource<'Recording'>;

export const TONES: Readonly<Record<Recording['analysis']['status'], Tone>> = {
  none: 'off',
  queued: 'info',
  running: 'info',
  completed: 'good',
  cancelled: 'off',
  failed: 'bad',
};

export const isUnderWay = ({ analysis }: Recording): boolean =>
  ['queued', 'running'].includes(analysis.status);
