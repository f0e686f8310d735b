import { EMBEDDED } from '../vision/attributes/attribute-model.ts';
import { type ModelCard, readAttributeCard, readDetectorCard, restrictionOf } from './cards.ts';

/** The configuration for the use of models. */
export interface ModelUse {
  readonly nodeEnv: string;
  readonly allowResearchModels: boolean;
}

/** @throws Error when production may not use the model */
export function requireUsable(
  card: Pick<ModelCard, 'name' | 'usage' | 'licence'>,
  { nodeEnv, allowResearchModels }: ModelUse,
): void {
  const restriction = restrictionOf(card);
  if (restriction === null || nodeEnv !== 'production' || allowResearchModels) return;
  throw new Error(
    `${restriction} Take another model, or set ALLOW_RESEARCH_MODELS=true if you have the rights to use it.`,
  );
}

/** Checks the cards of all models of a node. @throws Error that names the first model that production may not use */
export async function requireUsableModels(
  {
    model,
    attributeModels,
    modelsDir,
  }: { model: string; attributeModels: readonly string[]; modelsDir: string },
  use: ModelUse,
): Promise<void> {
  requireUsable(await readDetectorCard(modelsDir, model), use);
  for (const name of attributeModels.filter((wanted) => wanted !== EMBEDDED))
    requireUsable(await readAttributeCard(modelsDir, name), use);
}
