import { troubleOf } from '../kit/words/trouble.ts';
import type { Texts } from '../text/en/all.ts';
import type { CameraFacts } from './camera-state.ts';

/** A fault or warning, or a state without numbers, in one line. */
export function faultWords(known: Texts['faults'], { reason }: { readonly reason: string }): string {
  const { title, advice } = troubleOf(known, reason, null);
  return `${title}. ${advice}`;
}

/** The warnings of a camera in the words of the page. One about a scene has its name where the camera has several. */
export function warningLines({ warnings, scenes }: CameraFacts, known: Texts['faults']) {
  return warnings.map((warning) => {
    const name = scenes.length > 1 ? scenes.find(({ id }) => id === warning.sceneId)?.name : undefined;
    const words = faultWords(known, warning);
    const text = name === undefined ? words : `${name}: ${words}`;
    return { ...warning, key: `${warning.reason}:${warning.sceneId ?? ''}`, text };
  });
}
