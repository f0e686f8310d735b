/** Values of parameters that no recorded call has. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {};
