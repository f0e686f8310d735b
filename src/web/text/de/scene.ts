import type { scene as en } from '../en/scene.ts';

export const scene: typeof en = {
  title: 'Szene',
};
