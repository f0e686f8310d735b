import { XMLParser } from 'fast-xml-parser';

/** A text from a camera is no XML that we read. */
export class UnreadableXml extends Error {}

/** An element: its text, or its children and attributes (`@token`) by name, without prefixes. */
export type XmlNode = unknown;

const MOST_DEPTH = 40;
const MOST_TAGS = 20_000;
const MOST_TEXT = 2_000;

const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  // Also decodes &#233; and the like.
  htmlEntities: true,
  parseTagValue: false,
  parseAttributeValue: false,
});

/**
 * Parses a text from a camera. SOAP allows no document type, so none is read: it could define entities that grow without
 * end. Elements may not be nested deeply, because the parser needs time for each pair of levels.
 * @throws UnreadableXml
 */
export function parseXml(text: string): XmlNode {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new UnreadableXml('It has a document type.');
  checkTags(text);
  try {
    return PARSER.parse(text);
  } catch {
    throw new UnreadableXml('It is no XML.');
  }
}

function checkTags(text: string): void {
  let depth = 0;
  let tags = 0;
  // Without `<` in an element each character is read once, whatever the text.
  for (const [tag] of text.matchAll(/<[^!?<>][^<>]*>/g)) {
    tags++;
    if (tag.startsWith('</')) depth--;
    else if (!tag.endsWith('/>')) depth++;
    if (depth > MOST_DEPTH || tags > MOST_TAGS) throw new UnreadableXml('It has too many elements.');
  }
}

/** All elements at a path of names; each step goes into every element that has the name. */
export function nodesAt(node: XmlNode, ...path: readonly string[]): XmlNode[] {
  return path.reduce<XmlNode[]>((nodes, name) => nodes.flatMap((each) => childrenOf(each, name)), [node]);
}

/** The text of the first element at a path, without control characters; null without one. */
export function textAt(node: XmlNode, ...path: readonly string[]): string | null {
  const [first] = nodesAt(node, ...path);
  const text = typeof first === 'string' ? first : childrenOf(first, '#text')[0];
  if (typeof text !== 'string') return null;
  const clean = text.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return clean === '' ? null : clean.slice(0, MOST_TEXT);
}

function childrenOf(node: XmlNode, name: string): XmlNode[] {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return [];
  const found = (node as Record<string, unknown>)[name];
  return Array.isArray(found) ? found : [found];
}

export const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
