/** Stock is low when this many pieces are left, or fewer. */
export const LOW_STOCK = 5;
