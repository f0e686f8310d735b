import { z } from 'zod';
import { id, nameText, text, timestamp } from '../../http/fields.ts';
import { timezone } from '../../platform/jobs/schedule.ts';
import { ATTRIBUTE_GROUPS_JSON, attributeGroupsSchema, BLUR_PEOPLE } from '../../vision/privacy.ts';

const blurPeople = z.enum(BLUR_PEOPLE).meta({
  description:
    'What is hidden of people in every picture that is made for this account: nothing, their faces or their whole bodies. Faces are the upper part of each person whom the detector finds; it does not find everybody, so this is no guarantee',
});

const attributeGroups = attributeGroupsSchema.meta({
  description:
    'The sensitive attributes that are determined of the people of LEVEL_02 devices, at all devices of the account: nothing is computed or stored of a group that is missing. What was stored before stays until it is erased',
  override: ATTRIBUTE_GROUPS_JSON,
});

export const account = z
  .strictObject({
    id: id(),
    email: z.string().meta({ description: 'Email address or name that identifies the user' }),
    name: z.string().nullable(),
    isAdmin: z.boolean().meta({ description: 'Whether the user is an administrator of the service' }),
    timezone: z.string().nullable().meta({ description: 'IANA time zone that the user prefers' }),
    locale: z.string().nullable().meta({ description: 'Language and region that the user prefers (BCP 47)' }),
    blurPeople,
    attributeGroups,
    hasPassword: z.boolean().meta({ description: 'Whether the user can sign in with a password' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Account' });

/** A new password. */
export const newPassword = text(10, 200).meta({
  description:
    '10-200 characters, hard to guess: common passwords, patterns, and the name or e-mail address of the user are refused; several words are easy to remember',
  examples: ['seven tills on a rainy day'],
});
/** A password that is compared; its length is bounded, so that hashing it is. */
export const givenPassword = text(1, 200);

const LOCALE = 'must be a language like de or pt-BR (BCP 47)';
const locale = z
  .string()
  .max(35, LOCALE)
  .transform((tag, context) => {
    try {
      return new Intl.Locale(tag).toString();
    } catch {
      context.addIssue({ code: 'custom', message: LOCALE });
      return z.NEVER;
    }
  })
  .meta({
    description: 'Language and region that the user prefers, like de or pt-BR',
    override: { type: 'string' },
  });

export const changeAccountBody = z.strictObject({
  name: nameText(1, 100)
    .nullable()
    .optional()
    .meta({ description: 'At most 100 characters; null removes it' }),
  timezone: timezone
    .nullable()
    .optional()
    .meta({ description: 'IANA time zone that the user prefers, like Europe/Berlin; null removes it' }),
  locale: locale
    .nullable()
    .optional()
    .meta({ description: 'Language and region that the user prefers, like de or pt-BR; null removes it' }),
  blurPeople: blurPeople.optional(),
  attributeGroups: attributeGroups.optional(),
  password: newPassword.optional(),
  currentPassword: givenPassword.optional().meta({
    description:
      'The present password. Needed with `password`, except in a session of the whole account that a link of `npm run admin -- login-link` has begun in the last ten minutes',
  }),
});
export type ChangeAccount = z.output<typeof changeAccountBody>;
