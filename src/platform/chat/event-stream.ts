import { parseJson } from './parse-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The texts of a message that come in pieces. */
const PIECES = ['content', 'reasoning_content', 'reasoning', 'refusal'] as const;

/** Whether a body is a stream of events, which some gateways send although none was asked for. */
const isStream = (body: string): boolean => /^\s*(?:data:|event:|id:|retry:|:)/.test(body);

/** The value of a body: its JSON, or what its stream says, in the shape of an answer without a stream. */
export function valueIn(body: string): unknown {
  return isStream(body) ? joined(chunksIn(body)) : parseJson(body);
}

const chunksIn = (body: string): Fields[] =>
  body
    .split(/\r\n|\r|\n/)
    .flatMap((line) => /^data:(.*)$/.exec(line)?.[1] ?? [])
    .map((data) => fields(parseJson(data)));

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});

function joined(chunks: readonly Fields[]): unknown {
  const failed = chunks.find(({ error }) => error);
  if (failed) return failed;
  const choices = chunks.flatMap(({ choices: all }) =>
    // Only the first of several answers is read.
    (Array.isArray(all) ? all : []).slice(0, 1).map(fields),
  );
  const firsts = choices.filter(({ index }) => !index);
  const broken = firsts.find(({ error }) => error);
  if (broken) return { choices: [broken] };
  const said = firsts.map(({ delta, message }) => fields(message ?? delta));
  const message = {
    ...said.at(-1),
    ...Object.fromEntries(PIECES.map((name) => [name, textIn(said, name)])),
    tool_calls: callsIn(said),
  };
  const finish = firsts.findLast(({ finish_reason: reason }) => reason)?.finish_reason;
  const usage = chunks.findLast(({ usage: one }) => one)?.usage;
  return { choices: said.length > 0 ? [{ message, finish_reason: finish }] : [], usage };
}

/** The pieces of a text, one after the other. What is no text stands as it is. */
function textIn(said: readonly Fields[], name: string): unknown {
  const pieces = said.map((one) => one[name]).filter((piece) => piece !== undefined && piece !== null);
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces.at(-1);
}

/** The called tools: the pieces of their arguments by the number of the tool. */
function callsIn(said: readonly Fields[]): object[] {
  const byTool = new Map<unknown, Fields[]>();
  const calls = said.flatMap(({ tool_calls: all }) => (Array.isArray(all) ? all.map(fields) : []));
  for (const { index, function: called } of calls) {
    byTool.set(index, [...(byTool.get(index) ?? []), fields(called)]);
  }
  return [...byTool.values()].map((pieces) => ({ function: { arguments: textIn(pieces, 'arguments') } }));
}
