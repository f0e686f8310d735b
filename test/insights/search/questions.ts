import { readdirSync, readFileSync } from 'node:fs';
import type { Asked } from './told.ts';
import { placesOf } from './told.ts';

/** A question with the filters that it means. */
export interface Question {
  readonly query: string;
  readonly meant: readonly string[];
  readonly asked: Asked;
}

const FOLDER = new URL('questions/', import.meta.url);

/** The questions of a file: lines that begin with @ say how they are asked, lines with # begin the questions of a locale. */
function questionsIn(name: string): Question[] {
  const [head, ...sections] = readFileSync(new URL(name, FOLDER), 'utf8').split(/^# /m);
  const said = (key: string) => new RegExp(`^@${key} ?(.*)$`, 'm').exec(head!)?.[1];
  const listed = (key: string) => said(key)?.split(', ') ?? [];
  const places = placesOf(listed('devices'), listed('scenes'));
  return sections.flatMap((section) => {
    const [title, ...lines] = section.trim().split('\n');
    const locale = title!.split(' ')[0]!;
    const asked = {
      places,
      locale: locale === '-' ? null : locale,
      zone: said('zone') ?? 'UTC',
      tellsUnused: said('unused') !== undefined,
    };
    return lines.map((line) => {
      const [query, meant] = line.split(' => ') as [string, string];
      return { query, asked, meant: meant === 'nothing' ? [] : meant.split('; ').sort() };
    });
  });
}

export const FILES = readdirSync(FOLDER).map((name) => [name, questionsIn(name)] as const);
