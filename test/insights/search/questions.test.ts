import { describe, expect, test } from '@jest/globals';
import { FILES } from './questions.ts';
import { told } from './told.ts';

// What people asked or might ask, with exactly the filters that it means. Most of it was written before it was read by
// the rules: `two-users.txt` by two people for each language, one terse, one chatty; half of it was held back.

describe.each(FILES)('%s', (_name, questions) => {
  test.each(questions.map((question) => [question.query, question] as const))(
    '“%s” has exactly the filters that it means',
    (query, { asked, meant }) => {
      expect(told(query, asked)).toEqual(meant);
    },
  );
});
