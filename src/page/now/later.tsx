import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';

/** A part that could not be loaded is asked for again after so long. */
const AGAIN_MS = 5_000;

interface LaterProps<Props extends object> {
  readonly load: () => Promise<{ default: ComponentType<Props> }>;
  readonly props: Props;
  /** Stands there until the part is loaded. */
  readonly fallback?: ReactNode;
}

/**
 * A part of a tile that is loaded after the tile. Where that fails the tile goes on without it: a whole screen must not fall
 * because the connection went away between two of its files.
 */
export function Later<Props extends object>({ load, props, fallback = null }: LaterProps<Props>) {
  const [part, show] = useState<{ readonly component: ComponentType<Props> } | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const attempt = () =>
      load().then(
        (found) => {
          if (!isGone) show({ component: found.default });
        },
        () => {
          if (!isGone) timer = setTimeout(attempt, AGAIN_MS);
        },
      );
    void attempt();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [load]);
  return part ? createElement(part.component, props) : fallback;
}
