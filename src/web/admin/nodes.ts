import type { Resource } from '../../client/client.ts';

export type ComputeNode = Resource<'ComputeNode'>;
export type NodeState = 'offline' | 'degraded' | 'draining' | 'healthy';

/** In the order in which they need attention. */
const STATES: readonly NodeState[] = ['degraded', 'offline', 'draining', 'healthy'];

export function stateOf({ health, isDraining }: Pick<ComputeNode, 'health' | 'isDraining'>): NodeState {
  return health === 'healthy' && isDraining ? 'draining' : health;
}

/** The nodes that need attention first, then by name. */
export const worstFirst = <Node extends Pick<ComputeNode, 'health' | 'isDraining' | 'name'>>(
  nodes: readonly Node[],
): Node[] =>
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
