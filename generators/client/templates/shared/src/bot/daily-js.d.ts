declare module "@daily-co/daily-js/dist/daily-esm.js" {
  export { default } from "@daily-co/daily-js";
}
