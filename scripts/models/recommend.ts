import { type Accuracy, isAsAccurate } from '../../src/models/choice/candidates.ts';

/** What of a card matters here. */
interface Compared extends Accuracy {
  readonly name: string;
}

interface Measured extends Compared {
  readonly msPerFrame: number;
}

/**
 * What to run on the CPU, and what else could be measured, in sentences.
 * @param standard the default model
 * @param absent detectors that are not here
 */
export function recommendation(
  models: readonly Measured[],
  standard: Compared,
  absent: readonly Compared[],
): string {
  const equal = absent.filter((card) => isAsAccurate(card, standard));
  const unknown = absent.filter(({ accuracy }) => (accuracy?.personAp50 ?? null) === null);
  return [
    bestOf(models, standard),
    ...(equal.length > 0
      ? [
          `As accurate, and not here: ${namesOf(equal)}. To compare: \`npm run models -- pull NAME\`, then this command again.`,
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `Not here, and of unknown accuracy: ${namesOf(unknown)}. No worker chooses such a model by itself: pull it, measure it with ` +
            '`npm run -s evaluate -- detector`, then set MODEL.',
        ]
      : []),
  ].join('\n');
}

const namesOf = (cards: readonly Compared[]) => cards.map(({ name }) => name).join(', ');

function bestOf(models: readonly Measured[], standard: Compared): string {
  const known = models.find(({ name }) => name === standard.name);
  if (!known) return `Without ${standard.name} there is nothing to compare with.`;
  const equal = models.filter((card) => isAsAccurate(card, standard));
  const { name } = equal.reduce((a, b) => (b.msPerFrame < a.msPerFrame ? b : a), known);
  return name === standard.name
    ? `The default ${name} is the fastest of the equally accurate models on this CPU.`
    : `${name} is as accurate as ${standard.name} and faster on this CPU: workers without MODEL choose it.`;
}
