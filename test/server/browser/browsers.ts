/** A desktop and a phone, a browser with script and one without: the two choices are independent. */
export const browsers = [
  ["a desktop", { viewport: { width: 1280, height: 800 }, javaScriptEnabled: true }],
  [
    "a phone without script",
    { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, javaScriptEnabled: false },
  ],
] as const;
