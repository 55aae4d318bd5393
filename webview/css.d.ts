// Style sheets are imported as text; esbuild's loader does the reading.
declare module "*.css" {
  const text: string;
  export default text;
}
