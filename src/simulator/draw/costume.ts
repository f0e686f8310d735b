import type { Random } from '../random.ts';

const CLOTH_COLOURS = {
  black: '#23232a',
  white: '#e6e6e2',
  red: '#b3282d',
  purple: '#6f3d8f',
  yellow: '#dcb62c',
  gray: '#85888c',
  blue: '#2d5d9b',
  green: '#3c7547',
  brown: '#6f4d33',
  orange: '#d2702a',
} as const;
type ClothColour = keyof typeof CLOTH_COLOURS;

type Gender = 'female' | 'male';
type AgeBand = 'ageLess18' | 'age18To60' | 'ageOver60';
type LowerBody = 'trousers' | 'shorts' | 'skirtDress';

/** The attributes of a drawn person, as in the truth file. */
export interface Attributes {
  readonly gender: Gender;
  readonly age: AgeBand;
  readonly hat: boolean;
  readonly glasses: boolean;
  readonly handBag: boolean;
  readonly shoulderBag: boolean;
  readonly backpack: boolean;
  readonly holdObjectsInFront: boolean;
  readonly sleeve: 'shortSleeve' | 'longSleeve';
  readonly longCoat: boolean;
  readonly lower: LowerBody;
  readonly boots: boolean;
  /** Six of them are attribute keys (`upperBlack` …). */
  readonly upperColour: ClothColour;
}

/** How a person is drawn. */
export interface Costume {
  readonly attributes: Attributes;
  readonly heightMetres: number;
  /** Factor on the widths. */
  readonly build: number;
  readonly skin: string;
  readonly hair: string;
  readonly longHair: boolean;
  readonly upper: string;
  readonly lower: string;
  readonly shoes: string;
  readonly bag: string;
  readonly hatColour: string;
}

const SKINS = ['#e8c0a0', '#dba982', '#c68d63', '#a06a44', '#7d4f31'];
const HAIRS = ['#1d1613', '#33221a', '#553822', '#8a6236', '#b08b50'];
const DARK_TROUSERS = '#23252e';
const LOWERS = [DARK_TROUSERS, '#2c3a58', '#3b4c70', '#4c4a46', '#6b5d4a', '#3a2e2a'];
const DARK_SHOES = ['#1b1b1e', '#2d2320', '#3d2c22'] as const;
const LIGHT_SHOES = ['#d8d6d0', '#8f9296'];
const BAGS = ['#3b2a20', '#7a2c2c', '#26374d', '#5b5b40', '#1f1f22'];

function heightMetres(gender: Gender, age: AgeBand, random: Random): number {
  if (age === 'ageLess18') return random.between(1.42, 1.6);
  const adult = gender === 'male' ? random.between(1.69, 1.87) : random.between(1.58, 1.74);
  return age === 'ageOver60' ? adult - 0.04 : adult;
}

/** Every kind of clothes and bag is frequent enough to be measured. */
export function randomCostume(random: Random): Costume {
  const gender: Gender = random.chance(0.5) ? 'female' : 'male';
  const age: AgeBand = random.chance(0.12) ? 'ageLess18' : random.chance(0.18) ? 'ageOver60' : 'age18To60';
  const longCoat = age !== 'ageLess18' && random.chance(0.12);
  const lower: LowerBody =
    gender === 'female' && random.chance(0.4)
      ? 'skirtDress'
      : !longCoat && random.chance(0.2)
        ? 'shorts'
        : 'trousers';
  const bag = random.pick(['none', 'none', 'handBag', 'shoulderBag', 'backpack', 'holdObjectsInFront']);
  const boots = lower !== 'shorts' && random.chance(0.18);
  const upperColour = random.pick(Object.keys(CLOTH_COLOURS) as ClothColour[]);
  const lowers = LOWERS.filter((colour) => upperColour !== 'black' || colour !== DARK_TROUSERS);
  const height = heightMetres(gender, age, random);
  return {
    attributes: {
      gender,
      age,
      hat: random.chance(0.16),
      glasses: random.chance(0.25),
      handBag: bag === 'handBag',
      shoulderBag: bag === 'shoulderBag',
      backpack: bag === 'backpack',
      holdObjectsInFront: bag === 'holdObjectsInFront',
      sleeve: longCoat || random.chance(0.55) ? 'longSleeve' : 'shortSleeve',
      longCoat,
      lower,
      boots,
      upperColour,
    },
    heightMetres: Math.round(height * 100) / 100,
    build: random.between(0.94, 1.12),
    skin: random.pick(SKINS),
    hair: age === 'ageOver60' ? random.pick(['#c9c7c2', '#a3a19c']) : random.pick(HAIRS),
    longHair: gender === 'female' && random.chance(0.75),
    upper: CLOTH_COLOURS[upperColour],
    lower: random.pick(lowers),
    shoes: random.pick(boots || random.chance(0.7) ? DARK_SHOES : LIGHT_SHOES),
    bag: random.pick(BAGS),
    hatColour: random.pick(['#2b2b33', '#6d2a2a', '#8b7a55', '#2f4a63']),
  };
}

/** Blue or black over dark trousers, for the staff of one firm; the rest is random. */
export function uniformCostume(random: Random): Costume {
  const costume = randomCostume(random);
  const upperColour: ClothColour = random.chance(0.75) ? 'blue' : 'black';
  const { attributes } = costume;
  return {
    ...costume,
    attributes: {
      ...attributes,
      ...{ upperColour, lower: 'trousers', longCoat: false, sleeve: 'longSleeve', hat: false },
    },
    upper: CLOTH_COLOURS[upperColour],
    lower: DARK_TROUSERS,
    shoes: DARK_SHOES[0],
  };
}
