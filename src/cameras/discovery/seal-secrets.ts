import { z } from 'zod';
import type { Sealer } from '../../platform/crypto.ts';
import type { Login } from '../../platform/network/credentials.ts';
import type { FoundCamera } from '../../video/onvif/search-cameras.ts';

const LOGIN = 'discovery.login';
const CAMERAS = 'discovery.cameras';
const login = z.object({ user: z.string(), password: z.string() });

export const sealLogin = (sealer: Sealer, value: Login): string => sealer.seal(JSON.stringify(value), LOGIN);

/** @throws Error when ENCRYPTION_KEYS lacks the key with which it was sealed */
export const openLogin = (sealer: Sealer, sealed: string): Login =>
  login.parse(JSON.parse(sealer.open(sealed, LOGIN)));

export const sealCameras = (sealer: Sealer, cameras: readonly FoundCamera[]): string =>
  sealer.seal(JSON.stringify(cameras), CAMERAS);

/** @throws Error when ENCRYPTION_KEYS lacks the key with which they were sealed */
export const openCameras = (sealer: Sealer, sealed: string): FoundCamera[] =>
  JSON.parse(sealer.open(sealed, CAMERAS)) as FoundCamera[];
