import type { Installation, Watched } from './installation.ts';

/** Simulated cameras with a scene and an accepted start each; entries of the two lists belong together. */
export interface StartedShops {
  readonly cameras: Watched[];
  readonly taskIds: string[];
}

/**
 * Adds simulated shops and starts their analysis. It does not wait for frames.
 * @param name of the cameras, which are numbered from 1
 * @param fps frames a second of each
 */
export async function startShops(
  installation: Installation,
  name: string,
  { scenes, fps }: { scenes: number; fps: number },
): Promise<StartedShops> {
  const cameras: Watched[] = [];
  for (let number = 1; number <= scenes; number++) {
    cameras.push(await installation.addCamera(`${name} ${number}`, `sim:shop?seed=${number}&start=120`, fps));
  }
  const taskIds: string[] = [];
  for (const camera of cameras) taskIds.push(await installation.start(camera));
  return { cameras, taskIds };
}
