import webPush from 'web-push';
import type { Context } from '../../../platform/context.ts';
import type { Resealed } from '../../../platform/database/reseal.store.ts';
import { findPushKeys, replacePushKeys, storedPushKeys } from './push-keys.store.ts';

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const BINDING = 'push.privateKey';

type KeyContext = Pick<Context, 'db' | 'sealer'>;

const stored = ({ db, sealer }: KeyContext) =>
  storedPushKeys(db, () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    return { publicKey, privateKeyEncrypted: sealer.seal(privateKey, BINDING) };
  });

/** The key that a browser needs to subscribe. The first call makes it. */
export const publicPushKey = async (context: KeyContext): Promise<string> =>
  (await stored(context)).publicKey;

/** Seals the private key again with the newest of ENCRYPTION_KEYS. */
export async function resealPushKeys({ db, sealer }: KeyContext): Promise<Resealed> {
  const keys = await findPushKeys(db);
  if (!keys || keys.privateKeyEncrypted.startsWith(sealer.newestPrefix))
    return { resealed: 0, unreadable: 0 };
  const privateKeyEncrypted = sealer.reseal(keys.privateKeyEncrypted, BINDING);
  if (privateKeyEncrypted === null) return { resealed: 0, unreadable: 1 };
  return { resealed: await replacePushKeys(db, keys, { ...keys, privateKeyEncrypted }), unreadable: 0 };
}

/** @returns null when ENCRYPTION_KEYS lacks the key that sealed them */
export async function pushKeys(context: KeyContext): Promise<PushKeys | null> {
  const { publicKey, privateKeyEncrypted } = await stored(context);
  try {
    return { publicKey, privateKey: context.sealer.open(privateKeyEncrypted, BINDING) };
  } catch {
    return null;
  }
}
