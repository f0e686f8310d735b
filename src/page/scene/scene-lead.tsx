import { Time } from '../kit/age.tsx';
import { Chip } from '../kit/chip.tsx';
import type { Tone } from '../kit/tile.tsx';
import { useText } from '../text/text.ts';
import type { SceneState } from './scene-state.ts';
import type { Place } from './use-scene-now.ts';

const TONES: Readonly<Record<SceneState, Tone>> = {
  disabled: 'off',
  stopping: 'off',
  waitsForCapacity: 'warn',
  waitsForNode: 'warn',
  starting: 'info',
  faulty: 'bad',
  live: 'good',
  failed: 'bad',
  offline: 'bad',
  stopped: 'off',
};

/** Below the name of a scene: its state and its camera, unless that has the same name, or when it was recorded. */
export function SceneLead({ name, place }: { readonly name: string; readonly place: Place }) {
  const t = useText('scene');
  if (place.kind === 'camera') {
    return (
      <span className="row">
        <Chip tone={TONES[place.state]}>{t.states[place.state]}</Chip>
        {!name.includes(place.device.name) && ` ${place.device.name}`}
      </span>
    );
  }
  if (!place.recording) return null;
  const { recordedAt, timezone } = place.recording;
  return (
    <span className="row">
      {t.recorded} <Time at={recordedAt} timezone={timezone} />
    </span>
  );
}
