/** One instruction: `RUN` and the text behind it, its lines joined. */
export interface Instruction {
  readonly word: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  /** Another stage, or an image of a registry. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** What an image says of its containers. */
export interface ImageSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** Exits with 0 while the container is healthy. */
  readonly healthCheck: readonly string[];
  readonly ports: readonly number[];
  /** Folders that a container may write. */
  readonly volumes: readonly string[];
}

/** The stages of a Dockerfile in their order. Each must have a name. */
export function readStages(dockerfile: string): Stage[] {
  const lines = dockerfile.replace(/^\s*#.*\n/gm, '').replaceAll('\\\n', ' ');
  const all = lines.split('\n').flatMap((line): Instruction[] => {
    const [, word, text] = /^([A-Z]+) +(.*\S)/.exec(line) ?? [];
    return word && text ? [{ word, text }] : [];
  });
  const starts = all.flatMap(({ word }, at) => (word === 'FROM' ? [at] : []));
  return starts.map((start, at) => {
    const [from = '', , name = ''] = all[start]!.text.split(/\s+/);
    return { name, from, instructions: all.slice(start + 1, starts[at + 1]) };
  });
}

/** The settings of a stage with those of the stages that it is made from. @throws Error: there is no such stage */
export function settingsOf(stages: readonly Stage[], name: string): ImageSettings {
  const instructions = lineage(stages, name).flatMap((stage) => stage.instructions);
  const texts = (word: string) => instructions.filter((one) => one.word === word).map(({ text }) => text);
  const assignments = texts('ENV').flatMap((text) => [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)]);
  return {
    env: Object.fromEntries(assignments.map(([, key, quoted, plain]) => [key, quoted ?? plain ?? ''])),
    command: argumentsOf(texts('CMD').at(-1)),
    healthCheck: argumentsOf(/ CMD (\[.*\])$/.exec(texts('HEALTHCHECK').at(-1) ?? '')?.[1]),
    ports: texts('EXPOSE').flatMap((text) => text.split(/\s+/).map(Number)),
    volumes: texts('VOLUME').flatMap((text) => text.split(/\s+/)),
  };
}

/** The stages that one is made from, the first one first, and the stage itself. */
export function lineage(stages: readonly Stage[], name: string): Stage[] {
  const stage = stages.find((one) => one.name === name);
  if (!stage) throw new Error(`The Dockerfile has no stage ${name}.`);
  const isStage = stages.some((one) => one.name === stage.from);
  return [...(isStage ? lineage(stages, stage.from) : []), stage];
}

const argumentsOf = (json: string | undefined): string[] => (json ? (JSON.parse(json) as string[]) : []);
