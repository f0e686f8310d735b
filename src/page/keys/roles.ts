export const ROLES = ['viewer', 'manager', 'integrator', 'owner'] as const;
export type Role = (typeof ROLES)[number];

const VIEWER = ['analytics:read', 'scene:read', 'device:read', 'TASK_READ', 'alert:read'];
const MANAGER = [...VIEWER, 'alert:write', 'analysis:control'];
const INTEGRATOR = [...MANAGER, 'scene:write', 'device:write', 'TASK_WRITE', 'webhook:read', 'webhook:write'];

/** As the API understands the roles of sessions. A test compares them. */
export const SCOPES_OF: Readonly<Record<Role, readonly string[]>> = {
  viewer: VIEWER,
  manager: MANAGER,
  integrator: INTEGRATOR,
  owner: [...INTEGRATOR, 'billing:read', 'key:manage'],
};

/** The roles whose scopes a session has: it can give no others away. */
export const grantable = (scopes: ReadonlySet<string>): Role[] =>
  ROLES.filter((role) => SCOPES_OF[role].every((scope) => scopes.has(scope)));
