import type { First } from '../../en/shared/first.ts';
import { enter } from '../enter.ts';
import { now } from '../now.ts';
import { wall } from '../wall.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { faults } from './faults.ts';
import { shell } from './shell.ts';

/** The texts that are loaded before anything is shown. */
export const first: First = { common, enter, errors, faults, now, shell, wall };
