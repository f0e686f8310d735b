import type { Resource } from '../../api/client.ts';

export type Device = Resource<'Device'>;
