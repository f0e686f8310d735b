import type { z } from 'zod';
import { definedFields } from '../../http/fields.ts';
import type { Conditions, NamedPlace } from './filters.ts';
import type { Interpretation } from './interpret-query.ts';
import { partsOf } from './parts.ts';
import type { interpretation } from './schema.ts';

/** How many of the words an insight has: all, at least one, or none, where the words were left out. */
export type KeywordMatch = 'all' | 'any' | 'none';

/** How a query was understood, as the API shows it. */
export function presentInterpretation(
  { parsed, by, corrections, limitedBy }: Interpretation,
  keywordMatch: KeywordMatch,
): z.input<typeof interpretation> {
  const { persons, queueLength, waitSeconds, serviceSeconds } = parsed.quantities;
  return {
    interpretedBy: by,
    keywordMatch,
    ...presentConditions(parsed),
    ...definedFields({
      limitedBy,
      minPersons: persons?.atLeast,
      maxPersons: persons?.atMost,
      queueLength: queueLength && definedFields(queueLength),
      waitSeconds: waitSeconds && definedFields(waitSeconds),
      serviceSeconds: serviceSeconds && definedFields(serviceSeconds),
    }),
    excluded: parsed.excluded.map(presentConditions),
    parts: partsOf(parsed),
    understood: parsed.understood.map(({ text, filter }) => ({ text, filter })),
    corrected: corrections.map(({ text, to }) => ({ text, to })),
    unusedWords: [...parsed.unusedWords],
  };
}

function presentConditions({ riskLevel, keywords, severity, startDate, endDate, places }: Conditions) {
  return {
    riskLevel: [...riskLevel],
    activityKeywords: keywords.map(({ word }) => word),
    ...definedFields({
      severity,
      startDate: startDate?.toISOString(),
      endDate: endDate?.toISOString(),
      deviceName: namesOf(places, 'device') || undefined,
      sceneName: namesOf(places, 'scene') || undefined,
    }),
  };
}

const namesOf = (places: Conditions['places'], wanted: NamedPlace['kind']): string =>
  [...new Set(places.flat().flatMap(({ kind, name }) => (kind === wanted ? [name] : [])))].join(', ');
