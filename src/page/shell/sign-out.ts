import { api } from '../api/client.ts';
import { queryClient } from '../api/query.ts';
import { goTo } from './place.ts';

/** Ends the session of this browser and forgets everything that it has read. */
export async function signOut(): Promise<void> {
  await api.DELETE('/session').catch(() => undefined);
  goTo('/', { replace: true });
  queryClient.clear();
  location.reload();
}
