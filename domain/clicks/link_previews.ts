/**
 * Who fetches a link to draw a card of it where somebody has posted it, by a
 * part of the user agent each operator documents. In the order of the alphabet.
 */
export const LINK_PREVIEWS: readonly string[] = [
  "BingPreview",
  "Bluesky Cardyb",
  "Discordbot",
  "Embedly",
  "facebookexternalhit",
  "Facebot",
  "Google Web Preview",
  "Iframely",
  "kakaotalk-scrap",
  "LinkedInBot",
  "Mastodon/",
  "Pleroma ",
  "redditbot",
  "SkypeUriPreview",
  "Slack-ImgProxy",
  "Slackbot-LinkExpanding",
  "Snap URL Preview",
  "Synapse (bot",
  "TelegramBot",
  "Twitterbot",
  "vkShare",
  "WhatsApp/",
  "Yahoo Link Preview",
];
