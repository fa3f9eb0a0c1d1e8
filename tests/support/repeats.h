/* How often a random test tries, at least once. */
#ifndef TEST_REPEATS_H
#define TEST_REPEATS_H

/* An eighth under a sanitizer, which watches lines of code, not numbers. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define repeats(count) (((count) + 7) / 8)
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define repeats(count) (((count) + 7) / 8)
#endif
#endif
/* All of them in programs of the slow tier, half in the quick one. */
#ifndef repeats
#ifdef FENDER_SLOW
#define repeats(count) (count)
#else
#define repeats(count) (((count) + 1) / 2)
#endif
#endif

#endif
