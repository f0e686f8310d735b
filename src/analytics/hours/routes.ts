import { z } from 'zod';
import { openingHours } from '../../cameras/sites/opening-hours.ts';
import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { findSiteScope } from '../history/history-scope.store.ts';
import { readProposal, WEEKS } from './read-proposal.ts';

const proposal = z
  .strictObject({
    openingHours: openingHours.nullable().meta({
      description: 'When people come, as a site takes it; null where the numbers do not tell',
    }),
    reason: z.enum(['tooFewDays', 'tooFewPeople']).nullable().meta({
      description:
        'Why there is none: less than 14 days with frames, or fewer than 200 people; null where there is one',
    }),
    days: z.int().meta({ description: 'Days with frames that were looked at' }),
  })
  .meta({ id: 'OpeningHoursProposal', description: 'Opening hours that fit when people come' });

export const hoursRoutes = [
  route({
    name: 'proposeOpeningHours',
    method: 'get',
    path: '/analytics/sites/{id}/opening-hours-proposal',
    scope: 'analytics:read',
    summary: 'Propose opening hours from the numbers of a site',
    description: `Of the last ${WEEKS} weeks, in the time zone of the site. Nothing is stored: send \`openingHours\` with \`PATCH /sites/{id}\` to use it. Holidays are left out and not proposed.`,
    params: idParams,
    response: proposal,
  }).answers(async ({ context, caller, params }) => {
    const scope = orNotFound(await findSiteScope(context.db, caller.userId, params.id), 'Site');
    const { windows, reason, days } = await readProposal(context, scope);
    const found = windows?.map((window) => ({ ...window, days: [...window.days] }));
    return { openingHours: found ? { windows: found, exceptions: [] } : null, reason, days };
  }),
];
