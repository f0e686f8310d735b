// What customers read of the queues: a place and a range of minutes, nothing else. Without the DOM.
import { waitRange } from '../../catalogue/waits/wait-words.ts';
import { placeName } from '../../catalogue/words/place-name.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { isMeasured, reasonOf } from '../now/state.ts';
import { inOrder } from '../wall/wall-order.ts';

export interface Line {
  readonly id: string;
  readonly name: string;
  readonly range: string;
  readonly isFastest: boolean;
}

/** More cannot be read from ten metres. */
const MOST = 6;

/**
 * The queues whose wait is known, always in the same order; of many the fastest. One is the fastest where no other one has the same
 * words: nobody shall change lines for nothing.
 */
export function linesOf(scenes: readonly LiveScene[], language: 'en' | 'de', nowMs: number): Line[] {
  const known = scenes.flatMap((scene) => {
    const { current } = scene;
    const range = current && waitRange(current, language);
    if (!isMeasured(reasonOf(scene, nowMs)) || !range) return [];
    const seconds = current.estimatedWaitSeconds ?? current.estimatedWaitHighSeconds ?? 0;
    return [{ id: scene.id, name: placeName(scene.device.name, scene.name), range, seconds }];
  });
  const fastest = [...known].sort((one, other) => one.seconds - other.seconds).slice(0, MOST);
  const [first] = fastest;
  const isAlone =
    fastest.length > 1 && fastest.every((line) => line === first || line.range !== first?.range);
  return inOrder(fastest, ({ name }) => name).map(({ seconds: _, ...line }) => ({
    ...line,
    isFastest: isAlone && line.id === first?.id,
  }));
}
