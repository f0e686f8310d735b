/** Models whose AP50 differs by less are equally accurate. */
const SAME_ACCURACY = 0.01;

interface Measured {
  readonly name: string;
  readonly personAp50: number | null;
  readonly msPerFrame: number;
}

/**
 * What to run on the CPU, and what else could be measured, in sentences.
 * @param standard the default model
 * @param absent names of detectors that are not here
 */
export function recommendation(
  models: readonly Measured[],
  standard: string,
  absent: readonly string[],
): string {
  const said = bestOf(models, standard);
  const pull = `To compare ${absent.join(', ')}: \`npm run models -- pull NAME\`, then this command again.`;
  return absent.length > 0 ? `${said}\n${pull}` : said;
}

function bestOf(models: readonly Measured[], standard: string): string {
  const known = models.find(({ name }) => name === standard);
  if (!known || known.personAp50 === null) return `Without ${standard} there is nothing to compare with.`;
  const least = known.personAp50 - SAME_ACCURACY;
  const equal = models.filter(({ personAp50 }) => personAp50 !== null && personAp50 >= least);
  const { name } = equal.reduce((a, b) => (b.msPerFrame < a.msPerFrame ? b : a), known);
  return name === standard
    ? `The default ${standard} is the fastest of the equally accurate models on this CPU.`
    : `MODEL=${name} is as accurate as ${standard} and faster on this CPU.`;
}
