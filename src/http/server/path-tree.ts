/** What stands at a path, and what its parameters are. */
export interface Found<Value> {
  readonly value: Value;
  readonly params: Record<string, string>;
}

interface Branch<Value> {
  readonly fixed: Map<string, Branch<Value>>;
  /** Below any one segment. */
  parameter?: Branch<Value>;
  leaf?: { readonly names: readonly string[]; readonly value: Value };
}

const branch = <Value>(): Branch<Value> => ({ fixed: new Map() });

/**
 * Values by path, found segment by segment: Express would try route after route. `/tasks/statistics` wins over
 * `/tasks/{id}`: a fixed segment before a parameter. As in Express, capitals in fixed segments and one slash at the end
 * do not matter.
 */
export class PathTree<Value> {
  readonly #root = branch<Value>();

  /** @param path parameters in braces: `/scenes/{id}` */
  add(path: string, value: Value): void {
    const names: string[] = [];
    let at = this.#root;
    for (const segment of segmentsOf(path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name) {
        names.push(name);
        at.parameter ??= branch();
        at = at.parameter;
      } else {
        const next = at.fixed.get(segment) ?? branch();
        at.fixed.set(segment, next);
        at = next;
      }
    }
    at.leaf = { names, value };
  }

  /**
   * @param path as sent
   * @throws URIError when a parameter is not valid percent-encoding
   */
  find(path: string): Found<Value> | undefined {
    const values: string[] = [];
    const leaf = descend(this.#root, { segments: segmentsOf(path), depth: 0, values });
    if (!leaf) return undefined;
    const params = Object.fromEntries(leaf.names.map((name, at) => [name, decodeURIComponent(values[at]!)]));
    return { value: leaf.value, params };
  }
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

interface Walk {
  readonly segments: readonly string[];
  readonly depth: number;
  /** Of the parameters so far. */
  readonly values: string[];
}

function descend<Value>(at: Branch<Value>, { segments, depth, values }: Walk): Branch<Value>['leaf'] {
  const segment = segments[depth];
  if (segment === undefined) return at.leaf;
  const next = at.fixed.get(segment.toLowerCase());
  const leaf = next && descend(next, { segments, depth: depth + 1, values });
  if (leaf || !at.parameter || segment === '') return leaf;
  values.push(segment);
  const below = descend(at.parameter, { segments, depth: depth + 1, values });
  if (!below) values.pop();
  return below;
}
