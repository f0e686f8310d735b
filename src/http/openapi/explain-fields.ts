/**
 * Descriptions by field name; `Schema.field` is for one schema only, `?name` for a parameter. Fields with a description in
 * `.meta` keep it.
 */
export type Glossary = Readonly<Record<string, string>>;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** Adds the descriptions of the glossary to fields and parameters of an OpenAPI document that have none; a reference may have its own. */
export function explainFields(document: Json, glossary: Glossary): void {
  const schemas = isObject(document) && isObject(document.components) && document.components.schemas;
  if (isObject(schemas || null)) {
    for (const [name, schema] of Object.entries(schemas as JsonObject))
      explainIn(schema, glossary, `${name}.`);
  }
  explainIn(document, glossary, '');
}

function explainIn(json: Json, glossary: Glossary, schema: string): void {
  if (Array.isArray(json)) {
    for (const part of json) explainIn(part, glossary, schema);
    return;
  }
  if (!isObject(json)) return;
  if (isObject(json.properties)) {
    for (const [name, field] of Object.entries(json.properties))
      say(field, glossary, [`${schema}${name}`, name]);
  }
  if (typeof json.name === 'string' && isObject(json.schema)) {
    if (json.schema.description !== undefined) json.description ??= json.schema.description;
    say(json, glossary, [`?${json.name}`, json.name]);
  }
  for (const part of Object.values(json)) explainIn(part, glossary, schema);
}

function say(field: Json, glossary: Glossary, names: readonly string[]): void {
  if (!isObject(field) || field.description !== undefined) return;
  const name = names.find((known) => Object.hasOwn(glossary, known));
  const description = name && glossary[name];
  if (description) field.description = description;
}
