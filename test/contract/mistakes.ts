import { readFileSync } from 'node:fs';

/** A request as users get it wrong, and the answer that helps them. */
export interface Mistake {
  readonly name: string;
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  readonly path: string;
  /** Sent as it is. */
  readonly body: string | undefined;
  /** Beside the key and the Content-Type, or instead of them; an empty one is left out. */
  readonly headers: readonly (readonly [string, string])[];
  /** What the answer may not repeat. */
  readonly secrets: readonly string[];
  readonly status: number;
  readonly message: string;
}

/** Reads mistakes/*.txt: the lines of a mistake begin with `#`, the request, header names, `|` (body), `hides`, `=>`. */
export function readMistakes(file: string): Mistake[] {
  return readFileSync(new URL(`mistakes/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n\n')
    .map((block) => parse(block.split('\n')));
}

function parse([title = '', request = '', ...lines]: string[]): Mistake {
  const [, method = '', path = ''] = /^(\w+) (\S+)$/.exec(request) ?? [];
  const after = (mark: string) =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const body = after('| ');
  const answer = after('=> ')[0] ?? '';
  return {
    name: title.replace(/^# /, ''),
    method: method.toLowerCase() as Mistake['method'],
    path,
    body: body.length > 0 ? body.join('\n') : undefined,
    headers: lines.flatMap((line) => {
      const [, name, value = ''] = /^([A-Z][\w-]+):(.*)$/.exec(line) ?? [];
      return name ? [[name, value.trim()] as const] : [];
    }),
    secrets: after('hides ').flatMap((line) => line.split(' ')),
    status: Number(answer.slice(0, 3)),
    message: answer.slice(4),
  };
}
