import { SafeHtml } from './safe-html.ts';

/** Colours on light and on dark ground: names of classes and variables cannot be used in every mail program. */
const LIGHT = {
  ground: '#f3f5f8',
  card: '#ffffff',
  text: '#1b2430',
  muted: '#5c6878',
  line: '#e2e7ed',
  soft: '#eef2f7',
  main: '#1d67c9',
  second: '#c2660a',
  before: '#33404f',
  good: '#17753f',
  warn: '#8a4b08',
  warnGround: '#fdf3e3',
};
type Palette = Record<keyof typeof LIGHT, string>;
const DARK: Palette = {
  ground: '#0f141a',
  card: '#181f28',
  text: '#e9edf2',
  muted: '#9ba8b8',
  line: '#2d3744',
  soft: '#222b36',
  main: '#63a4ff',
  second: '#f0a64e',
  before: '#dfe6ee',
  good: '#6fcf97',
  warn: '#f5c277',
  warnGround: '#33270f',
};

const colours = (of: Palette): string => `
body,.ground{background:${of.ground};color:${of.text}}
.card{background:${of.card}}
.muted,th{color:${of.muted}}
td,th{border-color:${of.line}}
a{color:${of.main}}
.tile{background:${of.soft}}
.note{background:${of.warnGround};color:${of.warn}}
.m-fill{fill:${of.main}}.m-line{stroke:${of.main}}
.s-fill{fill:${of.second}}.s-line{stroke:${of.second}}
.b-line{stroke:${of.before}}
.grid{stroke:${of.line}}
.axis{fill:${of.muted}}
.none{fill:${of.soft}}
.hatch{stroke:${of.card}}
.m-box{background:${of.main}!important}
.s-box{background:${of.second}!important}
.b-box{background:${of.before}!important}
.n-box{background:${of.soft}!important}
.h-box{background:repeating-linear-gradient(45deg,${of.main} 0,${of.main} 2px,${of.card} 2px,${of.card} 4px)!important}
.numbers .name,.heat{color:${of.text}}`;

/**
 * The style of a report. Mail programs ignore what they do not know, some the whole of a rule: so there are no variables, and
 * layout is made of tables.
 */
export const STYLE = new SafeHtml(`
body{margin:0;padding:0;font:15px/1.45 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;-webkit-text-size-adjust:100%}
table{border-collapse:collapse}
.page{width:100%;max-width:640px;margin:0 auto}
.card{padding:24px;border-radius:12px}
h1{font-size:26px;line-height:1.2;margin:4px 0 4px;overflow-wrap:anywhere}
h2{font-size:17px;margin:30px 0 6px}
p{margin:8px 0}
.kind{font-size:13px;font-weight:600;letter-spacing:.02em}
.lead{font-size:17px;margin:16px 0}
.tile{display:inline-block;box-sizing:border-box;width:32%;min-width:150px;min-height:84px;margin:0 1% 8px 0;padding:10px 12px;border-radius:8px;vertical-align:top}
.tile b{font-size:22px;line-height:1.3}
.change{white-space:nowrap}
.small{font-size:13px}
.note{padding:10px 12px;border-radius:8px}
.numbers{width:100%;font-size:13px;font-variant-numeric:tabular-nums}
.numbers td,.numbers th{padding:5px 6px;border-bottom-width:1px;border-bottom-style:solid;text-align:right;vertical-align:top}
.numbers th{font-weight:600;vertical-align:bottom}
.numbers td[align=left],.numbers th[align=left]{text-align:left;white-space:nowrap}
.numbers td:first-child,.numbers th:first-child{padding-left:0}
.numbers .name{padding-top:12px;padding-bottom:0;border-bottom:0;white-space:normal;overflow-wrap:anywhere}
.numbers td:last-child,.numbers th:last-child{padding-right:0}
.week{width:100%;table-layout:fixed;font-size:12px}
.week td,.week th{padding:4px 1px;text-align:center;font-weight:400}
svg{display:block;width:100%;height:auto}
.swatch{display:inline-block;width:11px;height:11px;border-radius:2px;margin:0 5px 0 0;vertical-align:-1px}
.key{display:inline-block;margin:0 14px 4px 0}
${colours(LIGHT)}
@media screen and (prefers-color-scheme:dark){${colours(DARK)}}
@media (max-width:520px){.card{padding:18px 14px;border-radius:0}h1{font-size:22px}.tile{width:48.5%;min-width:0;min-height:76px;padding:9px 10px}.tile b{font-size:19px}.tile .small{font-size:12px}.numbers{font-size:12px}.numbers td,.numbers th{padding:5px 2px}.numbers th{font-size:10.5px}.axis{font-size:14px}}
`);

/** Colours of parts whose attributes hold for programs that ignore the style. */
export const PLAIN: Palette = LIGHT;
