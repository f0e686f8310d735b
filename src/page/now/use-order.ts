import { useRef } from 'react';
import type { LiveScene } from '../api/live-scenes.ts';
import { reasonOf, worstFirst } from './state.ts';

/** Tiles change their places at most so often while no state changes: nobody can read a list that jumps each second. */
const SETTLE_MS = 15_000;

/** The scenes, worst first. They are sorted again when the state of one changes, and every 15 s. */
export function useOrder(scenes: readonly LiveScene[], nowMs: number): readonly LiveScene[] {
  const kept = useRef({ states: '', atMs: 0, ids: [] as string[] });
  const states = scenes.map((scene) => `${scene.id} ${reasonOf(scene, nowMs)}`).join();
  if (states !== kept.current.states || nowMs - kept.current.atMs > SETTLE_MS)
    kept.current = { states, atMs: nowMs, ids: worstFirst(scenes, nowMs) };
  const byId = new Map(scenes.map((scene) => [scene.id, scene]));
  return kept.current.ids.flatMap((id) => byId.get(id) ?? []);
}
