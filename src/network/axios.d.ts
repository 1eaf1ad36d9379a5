declare module 'axios/unsafe/helpers/shouldBypassProxy.js' {
  /** Whether `NO_PROXY` names an address. */
  export default function shouldBypassProxy(address: string): boolean;
}
