export { GIFT_CARD_PREFIX, GiftCard, IssuedGiftCard, toGiftCard, toIssuedGiftCard } from "./schemas.ts";
