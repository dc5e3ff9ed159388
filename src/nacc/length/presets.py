"""Budgets that have a name, and where their amounts come from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A named budget, as `Budget.of` reads it; `source` says who set the amount."""

    name: str
    budget: str
    what: str
    source: str


PRESETS = (
    Preset(
        "sms",
        "1 sms",
        "one text message",
        "3GPP TS 23.038 and 23.040: 140 bytes, that is 160 septets or 70 UCS-2 units",
    ),
    Preset(
        "push",
        "140 characters",
        "body of a push notification on a phone",
        "Batch help centre, optimal push length: 120 to 140 characters since iOS 15",
    ),
    Preset(
        "push-title",
        "30 characters",
        "title of a push notification on a phone",
        "Batch help centre, optimal push length: 15 to 30 characters since iOS 15",
    ),
    Preset(
        "search-title",
        "600 px Arial 20",
        "title of a Google result on a desktop, not cut off",
        "not published by Google; measured by RocketMill (2016) and others, Arial at 20 px",
    ),
    Preset(
        "meta-description",
        "920 px Arial 14",
        "description below a Google result on a desktop, not cut off",
        "not published by Google; iProspect (2014) and others, two lines of Arial at 14 px",
    ),
    Preset(
        "app-store-name",
        "30 characters",
        "name of an app in Apple's App Store",
        "Apple, Creating Your Product Page",
    ),
    Preset(
        "app-store-subtitle",
        "30 characters",
        "subtitle of an app in Apple's App Store",
        "Apple, Creating Your Product Page",
    ),
    Preset(
        "play-title",
        "30 characters",
        "name of an app in Google Play",
        "Google Play Console Help, Create and set up your app",
    ),
    Preset(
        "play-description",
        "80 characters",
        "short description of an app in Google Play",
        "Google Play Console Help, Create and set up your app",
    ),
    Preset(
        "ad-headline",
        "30 characters",
        "headline of a search ad",
        "Google Ads Help, About responsive search ads",
    ),
    Preset(
        "ad-description",
        "90 characters",
        "description of a search ad",
        "Google Ads Help, About responsive search ads",
    ),
    Preset(
        "tweet",
        "280 characters",
        "post on X; its own count takes East Asian letters and emoji for two, links for 23",
        "X developer platform, Counting characters",
    ),
    Preset(
        "email-subject",
        "60 characters",
        "subject line that most mail programs show whole",
        "convention; RFC 5322 recommends header lines of at most 78 characters",
    ),
    Preset(
        "lcd-16",
        "16 columns",
        "one line of a 16 × 2 character display",
        "Hitachi HD44780 data sheet: displays of 16 characters a line",
    ),
    Preset(
        "lcd-20",
        "20 columns",
        "one line of a 20 × 4 character display",
        "Hitachi HD44780 data sheet: displays of 20 characters a line",
    ),
    Preset(
        "duc",
        "75 bytes",
        "headline of the DUC evaluations",
        "Document Understanding Conference 2003 and 2004, task 1",
    ),
)
