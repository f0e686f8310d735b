import type { Resource } from '../../client/client.ts';

export type ComputeNode = Resource<'ComputeNode'>;
/** `full`: it works, and has as many cameras as it takes. */
export type NodeState = 'offline' | 'degraded' | 'draining' | 'full' | 'healthy';

type Shown = Pick<ComputeNode, 'health' | 'isDraining' | 'activeDeviceCount' | 'maxConcurrentDevices'>;

type Cause = NonNullable<ComputeNode['healthCause']>;

/**
 * A cause in the words of the page, and what the program or driver said.
 * @returns null for a cause that the page does not know, as of a newer service: then the sentence of the service is shown
 */
export function saidOf(
  cause: Cause | null,
  texts: Readonly<Record<Cause['code'], string>>,
): { readonly text: string; readonly detail: unknown } | null {
  const known: Partial<Record<string, string>> = texts;
  const text = cause && known[cause.code];
  if (!text) return null;
  const fields = new Map<string, unknown>(Object.entries(cause));
  return {
    text: text.replace(/{(\w+)}/g, (_, name: string) => String(fields.get(name))),
    detail: fields.get('detail'),
  };
}

/** In the order in which they need attention. */
const STATES: readonly NodeState[] = ['degraded', 'offline', 'draining', 'full', 'healthy'];

export function stateOf({ health, isDraining, activeDeviceCount, maxConcurrentDevices }: Shown): NodeState {
  if (health !== 'healthy') return health;
  if (isDraining) return 'draining';
  return activeDeviceCount >= maxConcurrentDevices ? 'full' : 'healthy';
}

/** The nodes that need attention first, then by name. */
export const worstFirst = <Node extends Shown & Pick<ComputeNode, 'name'>>(nodes: readonly Node[]): Node[] =>
  [...nodes].sort(
    (a, b) => STATES.indexOf(stateOf(a)) - STATES.indexOf(stateOf(b)) || a.name.localeCompare(b.name),
  );

/** Whether no other node takes cameras. */
export const isLastTaker = (node: Pick<ComputeNode, 'id'>, nodes: readonly ComputeNode[]): boolean =>
  !nodes.some(({ id, health, isDraining }) => id !== node.id && health !== 'offline' && !isDraining);

/** A clock that differs by less than this shows as exact. */
const EXACT_MS = 20;

export type Skew = { readonly kind: 'exact' } | { readonly kind: 'ahead' | 'behind'; readonly ms: number };

export function skewOf(clockSkewMs: number): Skew {
  const ms = Math.abs(clockSkewMs);
  if (ms < EXACT_MS) return { kind: 'exact' };
  return { kind: clockSkewMs > 0 ? 'ahead' : 'behind', ms };
}
