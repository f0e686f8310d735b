const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Texts that several screens share. */
export const common = {
  comingSoon: 'This screen is not ready yet',
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
  back: 'Back',
  remove: 'Remove',
  retry: 'Try again',
  more: 'Show more',
  loading: 'Loading',
  copy: 'Copy',
  copied: 'Copied',
  yes: 'Yes',
  no: 'No',
  optional: 'optional',
  none: 'none',
  nothingYet: 'Nothing here yet',
  notMeasured: 'not measured',
  stale: (age: string) => `As of ${age}`,
  ago: (age: string) => `${age} ago`,
  justNow: 'just now',
  tryAgainIn: (seconds: number) => `Try again in ${plural(seconds, 'second', 'seconds')}`,
  forbiddenTitle: 'This session may not see this',
  forbiddenScope: (scope: string) =>
    `It needs the permission “${scope}”. Ask the owner of the account for it.`,
  failedTitle: 'This could not be loaded',
  signedOut: 'You are signed out. Sign in again to see it.',
  seeUsage: 'See usage and limits',
  zoneOf: (zone: string) => `Times in ${zone}`,
  status: { good: 'fine', warn: 'attention', bad: 'act now', off: 'not measured', info: 'note' },
};
